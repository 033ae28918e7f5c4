-- For each row, which the database folds into one announcement per transaction: a statement that writes none announces
-- nothing, else the notifier's own rounds would wake it again and again.
drop trigger alarm_events_announced on alarm_events;
create trigger alarm_events_announced after insert on alarm_events for each row execute function announce_alarm_events();
