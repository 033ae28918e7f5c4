import { expect, test } from 'vitest'
import { describeApp } from './describe-app.ts'

const t = describeApp()

/**
 * The tables that have a device and an instant and hold no readings back, each with the reason. What is made of past readings whenever somebody
 * asks belongs into `retention_holds` instead, in a new migration; `sweep-retention.db.test.ts` has one of each.
 */
const needNoHold: Record<string, string> = {
  alarm_events: 'says what happened to a trigger, which is held',
  alarm_fence_sides: 'the present side only',
  alarm_outside: 'the present stretch only: younger than what late readings may change',
  alarm_targets: 'says what is watched from now on',
  assignments: 'says which hardware stands for a device, and shows no reading',
  calibrations: 'a certificate with its own figures',
  cold_treatment_hours: 'are the readings of a treatment, kept for themselves; its shipment is held',
  cold_treatments: 'its clock is worked out from the kept hours; its shipment is held',
  company_events: 'says what happened, for 30 days',
  device_commands: 'a command to a device',
  device_intervals: 'a setting with its history',
  device_latest: 'the last known values',
  device_limits: 'a setting with its history',
  driver_positions: 'positions of phones, no readings',
  epcis_pushes: 'a file that was sent; its shipment is held',
  flight_modes: 'says when a device did not send; its shipment is held',
  group_devices: 'says who is in a group now',
  group_users: 'says who is in a group now',
  handovers: 'its verdict is of an order, which is held',
  ingest_rejected: 'measurements that were never stored',
  late_readings: 'work that waits for minutes',
  licence_uses: 'says which place a device has now',
  notifications: 'a text that was written; its trigger is held',
  order_events: 'says what happened to an order, which is held',
  order_insurances: 'a policy of an order, which is held',
  order_legs: 'figures of a leg, kept for themselves',
  order_links: 'shows an order, which is held',
  order_notices: 'says what happened to an order, which is held',
  order_receivers: 'a stop of an order, which is held',
  order_warnings: 'says what happened to an order, which is held',
  place_crossings: 'is kept as it was found, with its position',
  reading_arrivals: 'names readings in the order of their arrival; what is gone is in no export',
  readings: 'are what is held',
  readings_hourly: 'stay, whatever goes',
  record_attachments: 'a file of a record, which is held',
  record_notes: 'a text of a record, which is held',
  record_signatures: 'signs a record, which is held',
  share_links: 'shows the present, and of the past as much as is there',
  shipment_documents: 'a file of a shipment, which is held',
  shipment_events: 'says what happened to a shipment, which is held',
  shipment_legs: 'a leg of a shipment, which is held',
  shipment_links: 'shows a shipment, which is held',
  trigger_comments: 'a text on a trigger, which is held',
  vehicles: 'names the device that a vehicle has now',
}

const references = ['device_id', 'device_ids', 'record_id', 'order_id', 'shipment_id', 'group_id', 'trigger_id']

test('whatever is of a device and of a time is held by retention_holds, or is said to need no hold', async () => {
  const found = await t.rows<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname = any($1))
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and a.atttypid::regtype::text = any(array['timestamp with time zone', 'tstzrange', 'tstzmultirange', 'date']))
     order by 1`,
    [references],
  )
  const [{ text } = { text: '' }] = await t.rows<{ text: string }>(
    `select pg_get_functiondef('retention_holds'::regproc) as text`,
  )
  const held = new Set([...text.matchAll(/\b(?:from|join)\s+([a-z_]+)/gi)].flatMap(([, name]) => name ?? []))
  const names = found.map(({ name }) => name)
  expect(names.filter((name) => !(held.has(name) || name in needNoHold))).toEqual([])
  // The list names nothing that is held, or gone.
  expect(Object.keys(needNoHold).filter((name) => held.has(name) || !names.includes(name))).toEqual([])
})
