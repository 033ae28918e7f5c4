-- compatible: yes
-- An endpoint hears of private things while the Admin who lets it is one. For those that are there: who made it, else the Admin who is there longest.
alter table webhook_endpoints add column private_by int8;
set local role pipeline;
update webhook_endpoints e set private_by = (select u.id from users u
    where u.company_id = e.company_id and u.role = 'admin' and u.status = 'active' and u.archived_at is null
    order by u.id <> e.created_by, u.id limit 1)
  where e.sees_private;
reset role;
