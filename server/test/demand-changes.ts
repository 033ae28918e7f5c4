import pg from 'pg'

/*
 * Installed in the template of the tests' databases: a transaction that changes what the pipeline keeps in memory fails at its commit,
 * where it wrote no settings change for it. `server/src/core/devices/settings-changes.ts` writes them.
 */

const trackerSql = `array['imei:' || it.imei]`
const deviceSql = `array['device:' || it.company_id || ':' || it.device_id, 'company:' || it.company_id]`
const companySql = `array['company:' || it.company_id]`
/** A record's devices, where an alarm counts within records. */
const recordSql = (id: string) => `(select array_agg(subject) from record_devices m
  cross join lateral unnest(array['device:' || m.company_id || ':' || m.device_id, 'company:' || m.company_id]) subject
  where m.company_id = it.company_id and m.record_id = it.${id} and exists (select from alarms a where a.company_id = m.company_id
    and a.archived_at is null and a.rule -> 'cumulative' ->> 'window' = 'record'))`

/** The tables of `ingest/directory-queries.ts`: the subjects one of which is to be written, and the columns that are read; none: all. */
const tables: Record<string, { subjects: string; columns?: string[] }> = {
  hardware: { subjects: trackerSql, columns: ['imei', 'secret_hash'] },
  assignments: { subjects: trackerSql },
  device_limits: { subjects: deviceSql },
  device_intervals: { subjects: deviceSql },
  device_commands: {
    subjects: deviceSql,
    columns: ['device_id', 'kind', 'value', 'acked_at is null', 'superseded_at is null'],
  },
  alarms: {
    subjects: companySql,
    columns: ['rule', 'schedule', 'rule_from', 'severity', 'visibility', 'archived_at is null'],
  },
  alarm_targets: { subjects: companySql },
  event_feeds: { subjects: companySql, columns: ['is_on'] },
  reading_feeds: { subjects: companySql, columns: ['is_on'] },
  group_devices: { subjects: companySql },
  geofences: { subjects: companySql },
  points_of_interest: { subjects: companySql },
  records: { subjects: recordSql('id'), columns: ['start_at', 'end_at', 'archived_at'] },
  record_devices: { subjects: recordSql('record_id') },
}

export const demandedTables = Object.keys(tables)

/** New rows of these are read by nobody yet: other hardware is looked up again, an alarm without targets watches nothing. */
const unreadWhenNew = new Set(['hardware', 'alarms'])

const triggerSql = (table: string, { subjects, columns }: (typeof tables)[string]) => {
  const read = (row: string) => (columns ? `row(${columns.map((one) => `${row}.${one}`).join(', ')})` : row)
  return `
    create function demand_change_of_${table}() returns trigger language plpgsql as $$
    declare
      it record;
      wanted text[];
    begin
      ${unreadWhenNew.has(table) ? `if tg_op = 'INSERT' then return null; end if;` : ''}
      if tg_op = 'UPDATE' then
        if ${read('old')} is not distinct from ${read('new')} then return null; end if;
      end if;
      for it in select * from unnest(case tg_op when 'INSERT' then array[new] when 'DELETE' then array[old] else array[old, new] end) loop
        wanted := ${subjects};
        if wanted is not null and not is_change_noted(wanted) then
          raise exception '% of ${table} without a settings change: one of %', tg_op, wanted;
        end if;
      end loop;
      return null;
    end $$;
    create constraint trigger demand_change after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function demand_change_of_${table}()`
}

// The subjects of a transaction are kept in a setting of its own: who may write settings changes may not read them.
const notedSql = `
  create function remember_changes() returns trigger language plpgsql as $$
    begin
      perform set_config('test.noted', concat(current_setting('test.noted', true), ' ', string_agg(subject, ' '), ' '), true) from fresh;
      return null;
    end $$;
  create trigger remember_changes after insert on settings_changes
    referencing new table as fresh for each statement execute function remember_changes();
  create function is_change_noted(wanted text[]) returns boolean language sql as $$
    select exists (select from unnest(wanted) one where strpos(current_setting('test.noted', true), ' ' || one || ' ') > 0) $$`

/** Makes a migrated database refuse what is not announced to the pipeline. */
export async function demandChanges(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(notedSql)
    for (const [table, demand] of Object.entries(tables)) await client.query(triggerSql(table, demand))
  } finally {
    await client.end()
  }
}
