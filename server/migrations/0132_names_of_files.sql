-- compatible: yes
-- The sweep of orphans asks by names of files: without these each page of names reads every table from its beginning to its end.
create index bulk_uploads_file_key on bulk_uploads (file_key);
create index bulk_uploads_marked_key on bulk_uploads (marked_key);
create index calibrations_file_key on calibrations (file_key);
create index cold_treatment_records_file_key on cold_treatment_records (file_key);
create index device_reports_file_key on device_reports (file_key);
create index epcis_pushes_file_key on epcis_pushes (file_key);
create index group_reports_file_key on group_reports (file_key);
create index handover_photos_file_key on handover_photos (file_key);
create index handovers_signature_key on handovers (signature_key);
create index handovers_receipt_key on handovers (receipt_key);
create index invoice_files_file_key on invoice_files (file_key);
create index order_claims_file_key on order_claims (file_key);
create index order_insurances_certificate_key on order_insurances (certificate_key);
create index record_attachments_file_key on record_attachments (file_key);
create index report_files_file_key on report_files (file_key);
create index shipment_documents_file_key on shipment_documents (file_key);
create index shipment_reports_file_key on shipment_reports (file_key);
