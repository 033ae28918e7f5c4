import { expect, test } from 'vitest'
import { type Frame, frameReader } from './event-frames.ts'

const read = (...chunks: string[]) => {
  const frames: Frame[] = []
  const feed = frameReader((frame) => frames.push(frame))
  for (const chunk of chunks) feed(chunk)
  return frames
}

test('a frame arrives however its bytes are cut', () => {
  const text = 'id: 7\nevent: reading\ndata: {"a":1}\n\n'
  for (let cut = 0; cut <= text.length; cut++)
    expect(read(text.slice(0, cut), text.slice(cut))).toEqual([{ id: '7', event: 'reading', data: '{"a":1}' }])
})

test('several lines of data are joined, comments are dropped, and CRLF is understood', () => {
  expect(read(': hello\r\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n')).toEqual([{ id: null, event: 'x', data: 'a\nb' }])
})

test('the last id stays with frames that have none of their own', () => {
  expect(read('id: 1\ndata: a\n\ndata: b\n\n').map((frame) => frame.id)).toEqual(['1', '1'])
})

test('an unfinished frame is not delivered', () => {
  expect(read('event: reading\ndata: {"a":1}\n')).toEqual([])
})
