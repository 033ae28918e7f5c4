-- Readings came after a hand-over, and its verdict stands: since when that is known, and the hash of all readings as they are now.
alter table handovers add readings_added_at timestamptz, add readings_now text,
  add check ((readings_added_at is null) = (readings_now is null));

-- Whether devices that end an order settle the stops that they reached and left.
alter table dispatch_settings add fence_settles boolean not null default true;

-- The source of the event that settled a stop; null of stops from before.
alter table order_receivers add settled_source text;
