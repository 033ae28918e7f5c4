export interface Frame {
  id: string | null
  event: string
  data: string
}

/** Cuts a text/event-stream into frames, however its bytes arrive; comments are dropped. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: string) => void {
  let rest = ''
  let id: string | null = null
  let event = ''
  let data: string[] = []
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) onFrame({ id, event: event || 'message', data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id') id = value
  }
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    for (const text of lines) line(text)
  }
}
