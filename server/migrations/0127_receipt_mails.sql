-- compatible: yes
-- Whom the receipt of a hand-over is mailed to: by itself when goods are handed over, by a member, or by the receiver on their page. To a member of
-- the team (user_id) or to an address. While one waits to be sent, the same again adds nothing. dropped: they may not have it any more.
create table receipt_mails (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  handover_id int8 not null,
  cause text not null check (cause in ('handOver', 'person', 'receiverLink')),
  user_id int8,
  address text,
  locale text check (locale in ('en', 'fr', 'es', 'sw')),
  link_id int8,
  asked_by_name text,
  asked_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
  settled_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, handover_id) references handovers,
  foreign key (company_id, user_id) references users,
  foreign key (company_id, link_id) references order_links,
  check ((user_id is null) = (address is not null)),
  check ((address is null) = (locale is null)),
  check ((cause = 'receiverLink') = (link_id is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create unique index receipt_mails_by_itself on receipt_mails (company_id, handover_id) where cause = 'handOver';
create unique index receipt_mails_waiting on receipt_mails (company_id, handover_id, coalesce(user_id::text, address)) where state = 'waiting';
create index receipt_mails_of_handover on receipt_mails (company_id, handover_id, id);
create index receipt_mails_asked on receipt_mails (company_id, cause, asked_at);
call isolate('receipt_mails', 'select, insert, update');
