import { type AddressInfo, createServer, Socket } from 'node:net'
import { Aedes, type AuthenticateError, type PublishPacket } from 'aedes'
import { writeToStream } from 'mqtt-packet'
import type { Peers } from '../../platform/cluster/peers.ts'
import { Buckets } from '../../platform/http/buckets.ts'
import { longBodyBytes } from '../../platform/loop/pace.ts'
import { type Ceilings, ConnectionCeilings, countedAddress } from '../../platform/net/connection-ceilings.ts'
import type { Pipeline } from '../pipeline.ts'
import { authenticate } from './authenticate.ts'
import { CommandPost } from './command-post.ts'
import { decode, decodeAcks } from './decode/decode.ts'
import type { Tracker } from './device.ts'
import { type Decoded, refusal } from './inbound-message.ts'
import { LongMessages } from './long-messages.ts'
import { MqttSessions } from './mqtt-sessions.ts'
import { limitPackets } from './packet-limit.ts'

// With the first answer the writer would make a buffer for each number of a packet: 65,536 of them, 8 MB.
writeToStream.cacheNumbers = false

const maxPacketBytes = 1_048_576
// The size of names, a secret and a will.
const maxConnectBytes = 16_384
const badCredentials = 4

/** The pipeline consumes everything that a device publishes, so the broker has nothing to route. */
class DeviceBroker extends Aedes {
  override publish(packet: PublishPacket, client: unknown, done?: () => void): void {
    if (done) done()
    else super.publish(packet, client as () => void)
  }
}

export interface MqttIngest {
  port: number
  isListening(): boolean
  /** Disconnects those who are connected now one by one, each at some moment of `withinMs`. */
  closeSpread(withinMs: number): void
  /** Disconnects everybody: what was not acknowledged will be sent again. */
  close(): Promise<void>
}

/** How many connections are taken in; `perAddress`: of those that have not proved who they are. */
export interface MqttLimits extends Ceilings {
  /** Whether addresses are those of proxies, and so tell nothing. */
  isBehindProxy: boolean
  /** The other nodes. A client that connects here is gone there, whatever TCP thinks. */
  peers?: Pick<Peers, 'on' | 'connected' | 'tell'>
}

// A client that is silent after connecting is not a tracker.
const connectWithinMs = 5_000

// A tracker at the edge of a network comes and goes; one that connects in a loop only takes everybody's time.
const connectsPerTracker = { burst: 30, perMinute: 30 }
const reconnectPauseMs = 2_000
const refusalPauseMs = 2_000

/** The embedded MQTT 3.1.1 broker: see docs/devices.md for who may publish and subscribe to what. */
export async function ingestByMqtt(
  pipeline: Pipeline,
  databaseUrl: string,
  host: string,
  port: number,
  limits: MqttLimits,
): Promise<MqttIngest> {
  const addressOf = ({ remoteAddress }: Socket) => countedAddress(remoteAddress, limits.isBehindProxy)
  const ceilings = new ConnectionCeilings(limits, addressOf)
  const sessions = new MqttSessions()
  const connects = new Buckets()
  const longMessages = new LongMessages()
  const broker = new DeviceBroker({
    connectTimeout: connectWithinMs,
    authenticate: (client, username, password, done) => {
      const socket = client.conn instanceof Socket ? client.conn : null
      authenticate(pipeline, socket && addressOf(socket), username ?? '', password ?? '').then(
        async (tracker) => {
          if (typeof tracker === 'string') return done(refused(), false)
          // Cut at once, it would be back at once.
          if (connects.take([{ key: tracker.imei, bucket: connectsPerTracker }], pipeline.now()) > 0)
            return void setTimeout(() => client.conn.destroy(), reconnectPauseMs)
          // Else a device that reuses another's client id takes over its session and its commands. And no session outlives
          // its connection: what waits for a device is retained, and one with ever new names would fill the memory.
          Object.assign(client, { id: `${tracker.imei}:${client.id}`, clean: true })
          sessions.open(client, tracker)
          for (const peer of limits.peers?.connected() ?? []) limits.peers?.tell(peer, 'mqtt-client', client.id)
          if (socket) ceilings.release(socket)
          await commands.connected(tracker.imei)
          done(null, true)
        },
        // The database is away. A CONNACK with an error makes many a client give up for good; a cut connection does not.
        () => client.conn.destroy(),
      )
    },
    // PUBACK follows this callback, so it is called after the commit.
    authorizePublish: (client, packet, done) => {
      const imei = sessions.imeiOf(client)
      const read = imei && decoderOf(packet.topic, imei)
      if (!client || !imei || !read) return done(new Error('topic refused'))
      const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
      // The broker keeps what came at QoS 2 until its PUBREL, which may never come: it needs no more than the name of it.
      if (packet.qos === 2) packet.payload = nothing
      const isProven = (tracker: Tracker) => sessions.isProven(client, tracker)
      const company = sessions.ownerOf(client)
      const take = () => {
        if (client.closed) return done(new Error('the connection has ended'))
        const content = readSafely(pipeline, imei, read, payload)
        send(pipeline, { imei, company, isProven }, content, done)
      }
      // Its connection is cut, after a while, for it is back at once: what was not acknowledged is sent again.
      const refuse = () => setTimeout(done, refusalPauseMs, new Error('too many long messages of the company wait'))
      const decodeInTurn = (next = () => {}) => {
        const isTaken = pipeline.read(company, payload, () => {
          take()
          next()
        })
        if (isTaken) return
        refuse()
        next()
      }
      if (payload.length < longBodyBytes) return decodeInTurn()
      const isTaken = longMessages.inTurn(company, (next) => pipeline.gate.whenRoom(company, () => decodeInTurn(next)))
      if (!isTaken) refuse()
    },
    authorizeSubscribe: (client, subscription, done) => {
      const imei = sessions.imeiOf(client)
      done(null, imei && subscription.topic === `devices/${imei}/commands` ? subscription : null)
    },
  })
  limits.peers?.on('mqtt-client', (id) => sessions.takenOver(String(id)))
  const commands = new CommandPost(pipeline, broker, sessions, databaseUrl)
  broker.on('clientDisconnect', (client) => sessions.close(client))
  // One that breaks before its CONNACK never becomes a client that disconnects.
  broker.on('connectionError', (client) => sessions.close(client))
  await broker.listen()
  await commands.start()
  const server = createServer((socket) => {
    if (!ceilings.admit(socket)) return
    socket.setNoDelay(true)
    // A client may ask for no keep-alive: TCP's own then notices that it is gone.
    socket.setKeepAlive(true, 60_000)
    limitPackets(socket, maxPacketBytes, maxConnectBytes)
    broker.handle(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch(async (error) => {
    await new Promise<void>((resolve) => broker.close(resolve))
    await commands.stop()
    throw error
  })
  return {
    port: (server.address() as AddressInfo).port,
    isListening: () => server.listening,
    closeSpread: (withinMs) => sessions.cutSpread(withinMs),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await new Promise<void>((resolve) => broker.close(resolve))
      await closed
      await commands.stop()
    },
  }
}

const nothing = Buffer.alloc(0)

type Decoder = (payload: Buffer, now: number, imei: string) => Decoded

function decoderOf(topic: string, imei: string): Decoder | null {
  if (topic === `devices/${imei}/readings`) return decode
  return topic === `devices/${imei}/acks` ? decodeAcks : null
}

// An error thrown here ends the process: no message of a device may cause that, whatever bug of ours it finds.
function readSafely(pipeline: Pipeline, imei: string, read: Decoder, payload: Buffer): Decoded {
  try {
    return read(payload, pipeline.now(), imei)
  } catch (error) {
    pipeline.log.error({ err: error }, 'a message could not be decoded')
    return { readings: [], refused: [refusal(0, 'NOT_STORABLE', payload)], acks: [], bytes: payload.length }
  }
}

interface Sender {
  imei: string
  company: number | null
  isProven(tracker: Tracker): boolean
}

/**
 * Sends what a tracker said down the pipeline where there is room, else when there is. Known trackers go at once: the order in which a device's
 * messages came is the order of their lane. Others are looked up before they ask for room: those let in while they are looked up take no
 * room yet, and any number of them would be let in.
 */
function send(pipeline: Pipeline, sender: Sender, content: Decoded, done: (error?: Error) => void) {
  const { imei, company, isProven } = sender
  const { directory, gate } = pipeline
  const pass = (found: Tracker) =>
    gate.whenRoom(company, () => {
      const tracker = directory.known(imei) ?? found
      // Its connection is about to be cut: what it says meanwhile is not the new owner's.
      if (isProven(tracker)) pipeline.send(tracker, 'mqtt', content, () => done(), done)
      else done(new Error('the secret has changed'))
    })
  const known = directory.known(imei)
  if (known) return pass(known)
  directory.find(imei).then((tracker) => {
    if (tracker) pass(tracker)
    else done(new Error('the device is not in the inventory any more'))
  }, done)
}

const refused = (): AuthenticateError =>
  Object.assign(new Error('bad user name or password'), { returnCode: badCredentials })
