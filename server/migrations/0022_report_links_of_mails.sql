-- A link in a mail is good only while whom the mail was for is still a recipient of the report. Null: a link on a screen.
alter table report_links add column mail_id int8;
alter table report_links add foreign key (company_id, mail_id) references report_mails;
