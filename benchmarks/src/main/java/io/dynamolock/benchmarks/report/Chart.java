package io.dynamolock.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Locale;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.svg.SVGGraphics2D;

/** Bars: a group for each variant of the work, in it a bar for each peer. */
public final class Chart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;
    private static final Color[] COLOURS = {
        new Color(0x1b6ca8),
        new Color(0xe07b39),
        new Color(0x6aa84f),
        new Color(0xa64d79),
        new Color(0x999999),
        new Color(0xc9a227),
        new Color(0x7fb8de),
        new Color(0x8c6d46)
    };

    private final String file;
    private final String title;
    private final String unit;
    private final boolean logarithmic;
    private final DefaultCategoryDataset bars = new DefaultCategoryDataset();
    /** Whether each figure is written above its bar. */
    private boolean hasFigures;

    /** @param file its name without the ending */
    public Chart(String file, String title, String unit, boolean logarithmic) {
        this.file = file;
        this.title = title;
        this.unit = unit;
        this.logarithmic = logarithmic;
    }

    /** The same chart with each figure above its bar. */
    Chart withFigures() {
        hasFigures = true;
        return this;
    }

    public void bar(String peer, String variant, double value) {
        // A bar of nothing has no place on a logarithmic axis.
        boolean drawable = Double.isFinite(value) && (!logarithmic || value > 0);
        bars.addValue(drawable ? value : null, peer, variant);
    }

    String toMarkdown(String folder) {
        return "![" + title + "](" + folder + "/" + file + ".svg)\n\n";
    }

    void write(Path folder) {
        SVGGraphics2D svg = new SVGGraphics2D(WIDTH, HEIGHT);
        drawn().draw(svg, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(file + ".svg"), svg.getSVGElement() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JFreeChart drawn() {
        JFreeChart chart = ChartFactory.createBarChart(title, null, unit, bars);
        chart.setBackgroundPaint(Color.WHITE);
        chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlineStroke(new BasicStroke(0.5f));
        plot.setOutlineVisible(false);
        plot.setRangeAxis(axis());
        BarRenderer renderer = (BarRenderer) plot.getRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0.05);
        for (int i = 0; i < COLOURS.length; i++) {
            renderer.setSeriesPaint(i, COLOURS[i]);
        }
        if (hasFigures) {
            renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator("{2}", format("#,##0.#")));
            renderer.setDefaultItemLabelsVisible(true);
            plot.getRangeAxis().setUpperMargin(0.1);
        }
        if (logarithmic) {
            renderer.setBase(smallest() / 2);
        }
        return chart;
    }

    private ValueAxis axis() {
        if (!logarithmic) {
            return new NumberAxis(unit);
        }
        LogAxis axis = new LogAxis(unit);
        axis.setBase(10);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(format("#,##0.###"));
        axis.setSmallestValue(smallest() / 2);
        return axis;
    }

    private static NumberFormat format(String pattern) {
        return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    }

    private double smallest() {
        double smallest = Double.MAX_VALUE;
        for (int row = 0; row < bars.getRowCount(); row++) {
            for (int column = 0; column < bars.getColumnCount(); column++) {
                Number value = bars.getValue(row, column);
                smallest = value == null ? smallest : Math.min(smallest, value.doubleValue());
            }
        }
        return smallest == Double.MAX_VALUE ? 1 : smallest;
    }
}
