import { expect, test } from 'vitest'
import { redactUrl } from './log.ts'

test.each([
  ['/app/api/v1/auth/resetpassword/s3cret', '/app/api/v1/auth/resetpassword/[redacted]'],
  ['/app/api/v1/report-files/s3cret?x=1', '/app/api/v1/report-files/[redacted]?x=1'],
  ['/app/api/v1/devices?api_key=isokey_abc1D%32&page=2', '/app/api/v1/devices?api_key=isokey_[redacted]&page=2'],
  ['/app/api/v1/devices?api_key=%69%73okey%5Fabc1D&page=2', '/app/api/v1/devices?api_key=isokey_[redacted]&page=2'],
  ['/app/api/v1/devices?api_key=%69%73%6F%6b%65%79%5f%61bc', '/app/api/v1/devices?api_key=isokey_[redacted]'],
  // The secret of those who sign nothing.
  ['/app/api/v1/message-reports/africastalking/s3cret', '/app/api/v1/message-reports/africastalking/[redacted]'],
  ['/app/api/v1/message-reports/twilio', '/app/api/v1/message-reports/twilio'],
  ['/app/api/v1/devices/7/details', '/app/api/v1/devices/7/details'],
  ['/app/api/v1/auth/resetpassword/check', '/app/api/v1/auth/resetpassword/check'],
  ['/app/api/v1/auth/resetpassword/check-s3cret', '/app/api/v1/auth/resetpassword/[redacted]'],
  [
    'Hello,\n\nhttps://cold.example/reset#s3cret\n\nThe link works once.',
    'Hello,\n\nhttps://cold.example/reset#[redacted]\n\nThe link works once.',
  ],
])('of %s the log has %s', (url, logged) => {
  expect(redactUrl(url)).toBe(logged)
})
