-- compatible: yes
-- A flight is known by its departure: of a leg of a shipment only the waybill may be booked yet.
alter table flight_modes drop constraint flight_modes_check;
alter table flight_modes add constraint flight_modes_check check ((kind = 'flight') = (departs_at is not null));
