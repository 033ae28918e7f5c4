-- The place of a device that somebody has cancelled: it lasts as long as what is paid, and the next period of the licence does not renew it.
alter table licence_uses add column cancelled_at timestamptz;
grant update (cancelled_at) on licence_uses to app;
