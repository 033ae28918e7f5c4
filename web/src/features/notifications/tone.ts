let context: AudioContext | undefined

/** A short tone; a critical one twice, and higher. Browsers allow it once the person has clicked somewhere. */
export function playTone(severity: 'warning' | 'critical') {
  context ??= new AudioContext()
  const beeps = severity === 'critical' ? [0, 0.25] : [0]
  for (const delay of beeps) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const at = context.currentTime + delay
    tone.frequency.value = severity === 'critical' ? 880 : 660
    volume.gain.setValueAtTime(0.15, at)
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.2)
  }
}
