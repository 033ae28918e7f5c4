-- compatible: yes
-- A payment may be disputed more than once, each over a part of it: a dispute has the provider's id, and a state of its own. Those of
-- payments stand for all of them: open while one is, else lost where one was.
create table payment_disputes (
  company_id int4 not null references companies,
  payment_id int8 not null,
  dispute_ref text not null,
  state text not null check (state in ('open', 'won', 'lost')),
  disputed_at timestamptz not null,
  primary key (company_id, payment_id, dispute_ref),
  foreign key (company_id, payment_id) references payments
);
create index payment_disputes_open on payment_disputes (disputed_at) where state = 'open';
call isolate('payment_disputes', 'select, insert, update', 'select, insert');
set local role pipeline;
insert into payment_disputes (company_id, payment_id, dispute_ref, state, disputed_at)
  select company_id, id, dispute_ref, dispute, disputed_at from payments where dispute is not null and dispute_ref is not null;
reset role;
revoke insert on payment_disputes from pipeline;
