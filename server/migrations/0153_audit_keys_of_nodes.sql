-- compatible: yes
-- The ids of the keys that a server knows for audit trails, the one that it signs with last. Null: not told.
alter table nodes add audit_keys text[];
