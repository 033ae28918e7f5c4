import mqtt, { type MqttClient } from 'mqtt'
import type { Uplink, UplinkOptions } from './uplink.ts'
import { readCommands } from './wire.ts'

/**
 * A tracker that speaks MQTT 3.1.1: user name = IMEI, QoS 1. `send` resolves with the PUBACK, so what is not yet stored stays
 * in the tracker's own buffer and not in the client's.
 */
export function mqttUplink(mqttUrl: string, options: UplinkOptions, log: (message: string) => void): Uplink {
  const { imei, signal } = options
  let client: MqttClient | null = null

  const join = (): MqttClient => {
    if (client) return client
    const joined = mqtt.connect(mqttUrl, {
      protocolVersion: 4,
      clientId: imei,
      username: imei,
      password: options.secret,
      clean: true,
      keepalive: 60,
      connectTimeout: 15_000,
      reconnectOnConnackError: true,
      // Trackers that lost the server together must not all come back in the same second.
      reconnectPeriod: 1500 + (Number(imei.slice(-4)) % 2500),
    })
    // Said once when it goes wrong and once when it is right again, not with every attempt.
    let trouble = false
    joined.on('error', (error) => {
      if (!trouble) log(`${imei}: MQTT ${error.message}`)
      trouble = true
    })
    joined.on('message', (_topic, payload) => options.onCommands(readCommands(payload.toString('utf8'))))
    joined.on('connect', () => {
      if (trouble) log(`${imei}: MQTT is back`)
      trouble = false
      joined.subscribe(`devices/${imei}/commands`, { qos: 1 }, (error) => {
        if (error && joined.connected) log(`${imei}: cannot subscribe: ${error.message}`)
      })
    })
    client = joined
    return joined
  }

  const leave = async (): Promise<void> => {
    const leaving = client
    client = null
    await leaving?.endAsync(true)
  }

  return {
    listens: true,
    join: () => {
      join()
    },
    leave,
    send: async (readings, acks) => {
      const sender = join()
      if (readings.length > 0) await publish(sender, `devices/${imei}/readings`, { readings }, signal)
      for (const ack of acks) await publish(sender, `devices/${imei}/acks`, ack, signal)
    },
  }
}

function publish(client: MqttClient, topic: string, body: object, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    client.publish(topic, JSON.stringify(body), { qos: 1 }, (error) => {
      signal.removeEventListener('abort', stop)
      if (error) reject(error)
      else resolve()
    })
  })
}
