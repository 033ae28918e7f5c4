import { expect, test } from 'vitest'
import { alarmsCsv } from './alarms-csv.ts'
import { buildAlarm } from './test/build-alarm.ts'

test('a line per alarm; a name that a spreadsheet would calculate is defused', () => {
  const text = alarmsCsv([buildAlarm({ name: '=HYPERLINK("x")', openTriggers: 2 })], () => 'Temperature above 8 °C')
  const [head, line] = text.split('\r\n')
  expect(head).toMatch(/^"name","severity","visibility","rule",/)
  expect(line).toBe(
    '"\'=HYPERLINK(""x"")","warning","public","Temperature above 8 °C",1,"","Amina (app mail)",,2,,"2026-11-01T08:00:00.000Z"',
  )
})
