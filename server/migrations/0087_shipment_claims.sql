-- Claim packs are reports of shipments, as a PDF or with all data as a ZIP.
alter table shipment_reports
  -- The law of the carriage by which a claim pack counts its notice period; null for other reports.
  add carriage text check (carriage in ('cmr', 'cim', 'montreal', 'hagueVisby', 'hamburg', 'own')),
  drop constraint shipment_reports_kind_check,
  drop constraint shipment_reports_format_check,
  add constraint shipment_reports_kind_check check (kind in ('journey', 'ppecb', 'claim')),
  add constraint shipment_reports_format_check check (format in ('pdf', 'zip')),
  add constraint shipment_reports_claims check ((kind = 'claim') = (carriage is not null) and (kind = 'claim' or format = 'pdf'));
