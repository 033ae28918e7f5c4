-- compatible: yes
-- The preview of an upload, with its warnings, is forgotten as its faults are: it tells rows of the file.
drop index bulk_uploads_kept;
create index bulk_uploads_kept on bulk_uploads (created_at)
  where file_key is not null or marked_key is not null or errors <> '[]' or preview is not null;
