import { Pipeline } from '../../server/src/pipeline/pipeline.ts'

/*
 * The server with one fault: it acknowledges what it has merely received. The negative control of bench/kill: a harness
 * that does not notice this would notice nothing.
 */
const real = Pipeline.prototype.send
Pipeline.prototype.send = function (tracker, protocol, content, done, _failed) {
  const ignore = () => {}
  real.call(this, tracker, protocol, content, ignore, ignore)
  done({ accepted: content.readings.length, duplicates: 0, rejected: [], commands: [] })
}

process.argv[2] = 'start'
await import('../../server/src/main.ts')
