import { gzipSync } from 'node:zlib'
import { allAnswer, type Check, expectStatus, firstOf, refused, withHeader } from '../check.ts'
import { eicar } from '../scanner.ts'
import type { World } from '../world.ts'

function form(name: string, content: string | Buffer<ArrayBuffer>): FormData {
  const fields = new FormData()
  fields.set('file', new File([content], name))
  return fields
}

/** A record of the device's last hour, to attach to. */
async function aRecord({ need, admin, device }: World): Promise<string> {
  const body = {
    name: `Files ${Date.now()} ${Math.random()}`,
    deviceIds: [device.id],
    startAt: new Date(Date.now() - 3_600_000).toISOString(),
  }
  return (await need({ method: 'POST', path: '/enterprise/record', token: admin.token, body })).id
}

const attach = async (world: World, name: string, content: string | Buffer<ArrayBuffer>) =>
  world.ask({
    method: 'POST',
    path: `/enterprise/record/${await aRecord(world)}/attachments`,
    token: world.admin.token,
    body: form(name, content),
  })

/** An attached file as it is served. */
async function served(world: World) {
  const path = `/enterprise/record/${await aRecord(world)}/attachments`
  const body = form('seal.txt', 'the seal, unbroken')
  const { id } = await world.need({ method: 'POST', path, token: world.admin.token, body })
  return world.ask({ method: 'GET', path: `/enterprise/record-attachments/${id}`, token: world.admin.token })
}

/** V5: files. */
export const files: Check[] = [
  refused('5.2.1', 'A body beyond its bound is refused', 413, ({ admin }) => ({
    method: 'PATCH',
    path: '/auth/user/profile',
    token: admin.token,
    body: { fullname: 'a'.repeat(1_100_000) },
  })),
  {
    id: '5.2.2',
    says: 'A program that is called a picture is refused by its content',
    fault: async (world) =>
      expectStatus(await attach(world, 'seal.png', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0', 'latin1')), 400, 422),
    spoiled: allAnswer(200),
  },
  refused('5.2.3', 'A compressed body is refused before it is unpacked', [400, 415], ({ admin }) => ({
    method: 'PATCH',
    path: '/auth/user/profile',
    token: admin.token,
    body: gzipSync(JSON.stringify({ fullname: 'a'.repeat(100) })),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })),
  {
    id: '5.3.1',
    says: 'An attached file is offered as a download and never run as a page',
    async fault(world) {
      const { headers } = await served(world)
      if (!headers['content-disposition']?.startsWith('attachment')) return 'no content-disposition: attachment'
      if (/html|svg|javascript/.test(headers['content-type'] ?? '')) return `type ${headers['content-type']}`
      return headers['x-content-type-options'] === 'nosniff' ? null : 'no nosniff'
    },
    spoiled: withHeader('content-disposition', 'inline'),
  },
  {
    id: '5.3.2',
    says: 'A name with a path in it leads nowhere',
    async fault(world) {
      const paths = ['//../../etc/passwd', '//%2e%2e/%2e%2e/etc/passwd', '//assets/..%2f..%2fpackage.json']
      for (const path of paths) {
        const { text } = await world.raw(
          `GET ${path.slice(1)} HTTP/1.1\r\nHost: cold.example\r\nConnection: close\r\n\r\n`,
        )
        if (/root:|"workspaces"/.test(text)) return `${path} is served`
      }
      return null
    },
    spoiled: { answer: () => ({ text: 'root:x:0:0' }) },
  },
  {
    id: '5.4.1',
    says: 'The name of an uploaded file is not taken over into a header',
    async fault(world) {
      const hostile = await attach(world, 'a".txt\r\nX-Evil: 1', 'seal')
      return firstOf(
        async () => expectStatus(hostile, 200, 400, 422),
        async () => (hostile.headers['x-evil'] ? 'a header was added' : null),
      )
    },
    spoiled: withHeader('x-evil', '1'),
  },
  {
    id: '5.4.3',
    says: 'A file in which the scanner finds something is refused',
    fault: async (world) => expectStatus(await attach(world, 'eicar.txt', eicar), 400, 422),
    spoiled: allAnswer(200),
  },
]
