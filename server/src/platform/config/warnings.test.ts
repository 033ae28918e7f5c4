import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { warningsOf } from './warnings.ts'

const warned = (env: Record<string, string>) => warningsOf(loadConfig(env)).map((text) => text.slice(0, 4))

test('without a proxy every interface is listened on; behind one only this machine, but for trackers (M4)', () => {
  expect(loadConfig({})).toMatchObject({ host: '0.0.0.0', mqttHost: '0.0.0.0' })
  expect(loadConfig({ TRUST_PROXY: '1' })).toMatchObject({ host: '127.0.0.1', mqttHost: '0.0.0.0' })
  expect(loadConfig({ TRUST_PROXY: '1', HOST: '::' })).toMatchObject({ host: '::', mqttHost: '::' })
  expect(loadConfig({ HOST: '10.0.0.4', MQTT_HOST: '0.0.0.0' })).toMatchObject({
    host: '10.0.0.4',
    mqttHost: '0.0.0.0',
  })
})

test('an operator hears of ports that can be reached past the proxy (M4)', () => {
  expect(warned({})).toEqual([])
  expect(warned({ TRUST_PROXY: '1' })).toEqual(['MQTT'])
  expect(warned({ TRUST_PROXY: '1', MQTT_PORT: 'off' })).toEqual([])
  expect(warned({ TRUST_PROXY: '1', HOST: '127.0.0.1' })).toEqual([])
  expect(warned({ TRUST_PROXY: 'loopback', HOST: '0.0.0.0' })).toEqual(['HOST', 'MQTT'])
})
