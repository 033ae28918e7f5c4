import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

test('the pretend bank says which variables it wants, takes a payment, and sends its event', async () => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const events = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  const main = new URL('./main.ts', import.meta.url).pathname
  const bank = spawn(process.execPath, [main, '--port', '0', '--events', events], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void bank.kill())

  const variables: Record<string, string> = {}
  for await (const line of createInterface(bank.stdout)) {
    const [name = '', value = ''] = line.split('=')
    variables[name] = value
    if (name === 'PAYMENTS_EUR') break
  }
  const answer = await fetch(`${variables.PAYSTACK_URL}/transaction/charge_authorization`, {
    method: 'POST',
    headers: { authorization: `Bearer ${variables.PAYSTACK_SECRET_KEY}` },
    body: JSON.stringify({
      reference: 'iso-1',
      email: 'ap@acme.test',
      amount: 100,
      currency: 'NGN',
      authorization_code: 'AUTH_ok',
    }),
  })
  expect(await answer.json()).toMatchObject({ status: true, data: { status: 'success' } })
  await expect.poll(() => paths).toEqual(['/events/paystack'])

  bank.kill('SIGTERM')
  expect(await once(bank, 'exit')).toEqual([0, null])
})
