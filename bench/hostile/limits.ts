// The product's own protection would answer nearly all of this with 429.
const rate = '900000000/900000000/900000000/900000000'
export const unlimited = {
  ...Object.fromEntries(
    [
      'LOGIN',
      'MAIL',
      'INVITE',
      'TOKEN',
      'PASSWORD',
      'SIGNATURE',
      'LICENCE',
      'CLAIM',
      'SHARE',
      'SSO',
      'SECOND_FACTOR',
      'REPLAY',
    ].map((name) => [`RATE_LIMIT_${name}`, '9000000/9000000/60']),
  ),
  ...Object.fromEntries(
    ['PLACES', 'CORNERS', 'ALARMS', 'GROUPS', 'RECORDS', 'REPORTS', 'USERS', 'FILE_MB', 'SHARE_LINKS'].map((name) => [
      `QUOTA_${name}`,
      '900000000/900000000',
    ]),
  ),
  ...{
    RATE_WRITES: rate,
    RATE_EXPORTS: rate,
    RATE_KEYS: rate,
    RATE_KEYS_HEAVY: rate,
    INGEST_REFUSALS: '1000000',
    LIVE_STREAMS: '100000/100000',
  },
  ...{ REPORTS_WAITING_PERSON: '1000', REPORTS_WAITING_COMPANY: '10000', MIN_FREE_DISK: '100MB' },
  // Other work on the machine may starve the server for seconds: the overload guard would refuse, the 5 s rule judges instead.
  OVERLOAD_DELAY_MS: '0',
  SESSION_ABSOLUTE_ADMIN: '30d',
}
