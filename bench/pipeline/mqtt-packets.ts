const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** An MQTT 3.1.1 packet: type and flags, remaining length, body. */
function packet(first: number, body: Buffer): Buffer {
  const head = [first]
  let length = body.length
  do {
    head.push(length >= 128 ? (length % 128) | 128 : length)
    length >>= 7
  } while (length > 0)
  return Buffer.concat([Buffer.from(head), body])
}

/** A clean session with a keep-alive of 60 s. */
export const connectPacket = (imei: string, secret: string): Buffer =>
  packet(0x10, Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text('bench'), text(imei), text(secret)]))

/** At QoS 1; `id` from 1 to 65,535. */
export const publishPacket = (topic: string, id: number, body: Buffer): Buffer =>
  packet(0x32, Buffer.concat([text(topic), Buffer.from([id >> 8, id & 255]), body]))
