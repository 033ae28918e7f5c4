import type { Config } from '../../platform/config/config.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'

const openPorts = new Set(['', '443', '8443'])

/**
 * Refuses an address that nothing may be sent to, as far as its spelling tells; where its name leads is judged at each attempt. Throws VALIDATION
 * at `path`.
 */
export function checkAddress(
  url: string,
  config: Pick<Config, 'publicUrl' | 'webhookAllowPrivate'>,
  path = 'url',
): void {
  const { username, password, origin, port } = new URL(url)
  if (username || password) throw invalidField(path, 'rule.webhookUserinfo')
  // A message that comes back here would make others.
  if (origin === new URL(config.publicUrl).origin) throw invalidField(path, 'rule.webhookOwn')
  const fault = addressFault(url, config.webhookAllowPrivate)
  if (fault) throw invalidField(path, fault)
  if (!config.webhookAllowPrivate && !openPorts.has(port)) throw invalidField(path, 'rule.webhookPort')
}
