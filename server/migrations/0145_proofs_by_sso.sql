-- compatible: yes
-- When the person of a session last proved at the issuer who they are: who has no password signs by that.
alter table sessions add column sso_proved_at timestamptz;
