-- compatible: yes
-- The sweep of files that no row names (docs/adr/0068) asks every table that names files, as role pipeline, for the files of invoices, too.
create policy pipeline_all on invoice_files to pipeline using (true) with check (true);
grant select on invoice_files to pipeline;
