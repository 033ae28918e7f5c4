import { offsetMs } from '@isotherm/contract/zone-times.ts'

// Engines go on listing the older of two names; people look for the one of today.
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Every zone a report may have, by name, with the minutes its clocks are ahead of UTC at an instant. */
export const timezonesAt = (at: number) =>
  [...new Set([...Intl.supportedValuesOf('timeZone').map((name) => renamed[name] ?? name), 'UTC'])]
    .sort()
    .map((name) => ({ name, offsetMinutes: Math.round(offsetMs(at, name) / 60_000) }))
