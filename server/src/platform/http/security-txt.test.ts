import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { serveSecurityTxt } from './security-txt.ts'

test.each([
  [{ SECURITY_CONTACT: 'https://cold.example/report' }, 'https://cold.example/report'],
  [{ MAIL_FROM: 'Cold <cold@mail.example>' }, 'mailto:cold@mail.example'],
  [{}, 'mailto:isotherm@cold.example'],
])('security.txt names whom to tell: %o', async (env, contact) => {
  const app = fastify()
  onTestFinished(() => app.close())
  const config = loadConfig({ PUBLIC_URL: 'https://cold.example', ...env })
  serveSecurityTxt(app, { config, clock: { now: () => new Date('2026-01-01T00:00:00Z') } })
  const answer = await app.inject('/.well-known/security.txt')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(answer.body.split('\n')).toEqual([
    `Contact: ${contact}`,
    'Expires: 2026-06-30T00:00:00.000Z',
    'Preferred-Languages: en, fr, es, sw',
    'Canonical: https://cold.example/.well-known/security.txt',
    '',
  ])
})
