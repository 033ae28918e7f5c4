-- What ended last, for the dashboard.
create index excursions_ended on excursions (company_id, end_at desc) where end_at is not null;
-- The devices of a licence are counted while it is claimed.
create index devices_licence on devices (company_id, licence_id) where licence_id is not null;
