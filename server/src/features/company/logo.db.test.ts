import { readdir } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { logoLimits } from '@isotherm/contract/company.ts'
import { encode as encodeJpeg } from 'jpeg-js'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { giveLogo, logoPng } from '../../../test/logo-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const send = ({ token }: TestUser, name: string, content: Buffer<ArrayBuffer> | string) =>
  t.call('PUT', '/auth/company/logo', { token, body: { file: new SentFile(name, content) } })
const picture = ({ token }: TestUser, version: string) =>
  t.app.inject({ url: `/app/api/v1/auth/company/logo/${version}`, headers: { authorization: `Bearer ${token}` } })
const filesOnDisk = async () =>
  (await readdir(t.services.config.dataDir, { recursive: true })).filter((name) => /files\/logos\/.*\.png$/.test(name))

test('an Admin sets the logo, everybody of the company sees it, and the trail tells of it', async () => {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const answer = await send(admin, 'logo.png', logoPng({ width: 944, height: 165 }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const version: string = answer.body.payload.logoVersion
  const profile = await t.call('GET', '/auth/profile', { token: staff.token })
  expect(profile.body.payload.company.logoVersion).toBe(version)
  const shown = await picture(staff, version)
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
  const { width, height, data } = PNG.sync.read(shown.rawPayload)
  expect([width, height, ...data.subarray(0, 4)]).toEqual([472, 83, 0, 90, 160, 255])
  const [entry] = await trailOf(t, admin.companyId)
  expect(entry).toMatchObject({
    action: 'company.logoChanged',
    before: { logoVersion: null },
    after: { logoVersion: version },
  })
})

test('another one takes its place, and its file: the version before leads nowhere', async () => {
  const admin = await buildUser(t)
  const before = (await filesOnDisk()).length
  const first = await giveLogo(t, admin)
  const again = await send(admin, 'logo.JPG', Buffer.from(encodeJpeg(PNG.sync.read(logoPng()), 90).data))
  const second: string = again.body.payload.logoVersion
  expect(second).not.toBe(first)
  expect((await picture(admin, first)).statusCode).toBe(404)
  expect((await picture(admin, second)).statusCode).toBe(200)
  expect((await filesOnDisk()).length).toBe(before + 1)
  const removed = await t.call('DELETE', '/auth/company/logo', { token: admin.token })
  expect(removed.body.payload.logoVersion).toBeNull()
  expect((await picture(admin, second)).statusCode).toBe(404)
  expect((await filesOnDisk()).length).toBe(before)
})

test('people of another company find nothing, and who is no Admin changes nothing', async () => {
  const company = await buildCompany(t)
  const [admin, stranger] = [await buildUser(t, { company }), await buildUser(t)]
  const version = await giveLogo(t, admin)
  expect((await picture(stranger, version)).statusCode).toBe(404)
  for (const role of ['manager', 'staff'] as const) {
    const user = await buildUser(t, { company, role })
    expect((await send(user, 'logo.png', logoPng())).status).toBe(403)
    expect((await t.call('DELETE', '/auth/company/logo', { token: user.token })).status).toBe(403)
  }
  expect((await picture(admin, version)).statusCode).toBe(200)
})

describe('a file that is no logo is refused, and leaves nothing', () => {
  const chunk = (name: string, data: Buffer) => {
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.write(name, 4, 'latin1')
    return Buffer.concat([frame, data, Buffer.alloc(4)])
  }
  /** A megabyte of packed zeros would be a gigabyte; the head says 30,000 by 30,000. */
  function bomb(): Buffer<ArrayBuffer> {
    const head = Buffer.from('0000753000007530080600000000', 'hex').subarray(0, 13)
    const parts = [
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
      chunk('IEND', Buffer.alloc(0)),
    ]
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
  }
  const gif = Buffer.from('47494638396101000100000000003b', 'hex')
  const whole = logoPng()
  const files: [string, string, Buffer<ArrayBuffer> | string, number, string][] = [
    ['HTML that is called a picture', 'logo.png', '<!doctype html><script>alert(1)</script>', 400, 'PICTURE_REFUSED'],
    ['SVG', 'logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 400, 'PICTURE_REFUSED'],
    ['GIF', 'logo.png', gif, 400, 'PICTURE_REFUSED'],
    ['PNG with another name', 'logo.html', whole, 400, 'FILE_MISNAMED'],
    ['PNG that is cut off', 'logo.png', whole.subarray(0, whole.length - 20), 400, 'PICTURE_REFUSED'],
    ['PNG with something behind it', 'logo.png', Buffer.concat([whole, Buffer.from('<?php')]), 400, 'PICTURE_REFUSED'],
    ['more pixels than may be, by its head', 'logo.png', bomb(), 400, 'PICTURE_TOO_LARGE'],
    ['all of it is white', 'logo.png', logoPng({ colour: [255, 255, 255] }), 400, 'PICTURE_BLANK'],
    ['a byte more than may be', 'logo.png', Buffer.alloc(logoLimits.bytes + 1), 422, 'VALIDATION'],
    ['5 MB', 'logo.png', Buffer.alloc(5_000_000), 413, 'BODY_TOO_LARGE'],
  ]
  test.each(files)('%s', async (_, name, content, status, code) => {
    const admin = await buildUser(t)
    const before = await filesOnDisk()
    const { body, ...answer } = await send(admin, name, content)
    expect([answer.status, body.code], JSON.stringify(body)).toEqual([status, code])
    expect(await filesOnDisk()).toEqual(before)
    const profile = await t.call('GET', '/auth/profile', { token: admin.token })
    expect(profile.body.payload.company.logoVersion).toBeNull()
  })
})
