package io.dynamolock.sample.page;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/** A picture with the colours that it has most of, and no others: a page has few, and takes a third of the room so. */
final class SmallPicture {

    private static final int COLOURS = 64;

    private SmallPicture() {}

    static byte[] of(byte[] png) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
        Map<Integer, Integer> pixels = new HashMap<>();
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                pixels.merge(picture.getRGB(x, y), 1, Integer::sum);
            }
        }
        int[] kept = pixels.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
                .limit(COLOURS)
                .mapToInt(Map.Entry::getKey)
                .toArray();
        return png(picture, kept);
    }

    private static byte[] png(BufferedImage picture, int[] colours) throws IOException {
        IndexColorModel palette = new IndexColorModel(6, colours.length, colours, 0, false, -1, 0);
        BufferedImage small =
                new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, palette);
        List<Integer> indexes = IntStream.range(0, colours.length).boxed().toList();
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                int index = nearest.computeIfAbsent(
                        picture.getRGB(x, y),
                        colour -> indexes.stream()
                                .min(Comparator.comparingInt(candidate -> distance(colours[candidate], colour)))
                                .orElseThrow());
                small.getRaster().setSample(x, y, 0, index);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(small, "png", bytes);
        return bytes.toByteArray();
    }

    private static int distance(int one, int other) {
        int red = (one >> 16 & 0xff) - (other >> 16 & 0xff);
        int green = (one >> 8 & 0xff) - (other >> 8 & 0xff);
        int blue = (one & 0xff) - (other & 0xff);
        return red * red + green * green + blue * blue;
    }
}
