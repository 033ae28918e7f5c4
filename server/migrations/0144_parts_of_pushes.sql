-- compatible: yes
-- parts: the parts of the document that the receiver at `url` took (`accepted`), or perhaps has (`unknown`): events before `upTo`, from `from` on,
-- and the location at which their outcome is asked for. withdraws_all: whatever the receiver had of earlier pushes, and is no longer told, is
-- withdrawn by this one.
alter table epcis_pushes add column parts jsonb not null default '[]', add column withdraws_all boolean not null default false;
-- Pushes of before: all events of one that was taken in part, or whose outcome nobody knows, may be there.
set local role pipeline;
update epcis_pushes set parts = jsonb_build_array(jsonb_build_object('from', 0, 'upTo', events, 'url', url, 'location', '',
    'outcome', case state when 'accepted' then 'accepted' else 'unknown' end))
  where state = 'accepted' or attempts > 0 and (location is not null or coalesce(last_status, 500) >= 500);
reset role;
