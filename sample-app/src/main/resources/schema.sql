create table invoice (
  number bigint primary key,
  customer_id varchar(64) not null,
  amount decimal(12, 2) not null,
  mailed boolean default false not null
);
