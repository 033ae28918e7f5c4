-- compatible: yes
-- A browser that somebody subscribes is taken from whoever had it, in whichever company.
create index push_subscriptions_of_endpoint on push_subscriptions (endpoint);
