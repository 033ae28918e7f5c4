import { dirname, join, normalize } from 'node:path/posix'

const isTest = (path) => /\.test\.(ts|tsx|mjs)$/.test(path) || path.startsWith('server/test/')

/** Rooms of the house, most particular first: what a file may import from its own repository, and from packages. */
const ROOMS = [
  { name: 'contract', path: /^contract\//, from: ['contract'], packages: (name) => name === 'zod' },
  { name: 'domain', path: /^server\/src\/domain\//, from: ['domain', 'contract:type'], packages: () => false },
  { name: 'platform', path: /^server\/src\/platform\//, from: ['platform', 'contract'] },
  { name: 'core', path: /^server\/src\/core\//, from: ['core', 'platform', 'domain', 'contract'] },
  {
    name: 'reporting',
    path: /^server\/src\/reporting\//,
    from: ['reporting', 'core', 'platform', 'domain', 'contract'],
  },
  {
    name: 'features',
    path: /^server\/src\/features\//,
    from: ['own feature', 'reporting', 'core', 'platform', 'domain', 'contract'],
  },
  {
    name: 'pipeline',
    path: /^server\/src\/pipeline\//,
    from: ['pipeline', 'core', 'platform', 'domain', 'contract'],
  },
  {
    name: 'server app',
    path: /^server\/src\//,
    // The demo's company is the simulator's fleet.
    from: ['server app', 'pipeline', 'features', 'reporting', 'core', 'platform', 'domain', 'contract', 'simulator'],
  },
  {
    name: 'web base',
    path: /^web\/src\/(ui|lib|map|charts)\//,
    from: ['web base', 'contract'],
    packages: isForBrowsers,
  },
  {
    name: 'web shared',
    path: /^web\/src\/shared\//,
    from: ['web shared', 'web base', 'contract'],
    packages: isForBrowsers,
  },
  {
    name: 'web features',
    path: /^web\/src\/features\//,
    from: ['own feature', 'web shared', 'web base', 'contract'],
    packages: isForBrowsers,
  },
  {
    name: 'web app',
    path: /^web\/src\//,
    from: ['web app', 'web features', 'web shared', 'web base', 'contract'],
    packages: isForBrowsers,
  },
  { name: 'simulator', path: /^simulator\//, from: ['simulator', 'contract'] },
  // Others install it by itself: it has nothing of the product but the types made of its API document.
  { name: 'client', path: /^client\//, from: ['client'], packages: () => false },
]

/** The contracts that scaffolds may know: of every call, of the session, of how things are written. */
const ofEveryCall =
  /^contract\/src\/(api|auth|call|common|company|countries|decimals|errors|limits|live|money|named|paging|permissions|range-text|times|zone-times)\.ts$/
const isScaffold = (path) => /^web\/src\/(ui|lib)\//.test(path)

/** The arithmetic of zones and of currencies is pure, and one for browser and rules: domain loads no other module of the contract. */
const ofRules = ['contract/src/money.ts', 'contract/src/zone-times.ts']

function isForBrowsers(name) {
  return !name.startsWith('node:')
}

const roomOf = (path) => ROOMS.find((room) => room.path.test(path))
const featureOf = (path) => /\/features\/([^/]+)\//.exec(path)?.[1]

/** Repository path that a specifier in `path` means, or null for a package. */
export function resolveImport(path, specifier) {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier.replace(/\?.*$/, '')))
  if (specifier.startsWith('@isotherm/contract/locales/'))
    return `contract/${specifier.slice('@isotherm/contract/'.length)}`
  const workspace = /^@isotherm\/(contract|server|web|simulator)\/(.*)$/.exec(specifier)
  return workspace ? `${workspace[1]}/src/${workspace[2]}` : null
}

/** Why this import is not allowed, or null. Tests may import what they like. */
export function judge(path, { specifier, type }) {
  const room = roomOf(path)
  if (!room || isTest(path)) return null
  const target = resolveImport(path, specifier)
  if (target === null) {
    return !room.packages || room.packages(specifier) ? null : `${room.name} may not use the package ${specifier}`
  }
  if (isTest(target)) return `${target} is for tests only`
  const there = roomOf(target)
  if (!there) return `${room.name} may not reach into ${target.split('/')[0]}`
  if (room.name === 'web app' && there.name === 'web features' && target.endsWith('.css'))
    return `web app keeps its own CSS, not that of ${featureOf(target)}`
  if (isScaffold(path) && /^contract\/src\//.test(target) && !ofEveryCall.test(target))
    return `${target} is of a feature: web/src/shared may know it`
  const sameFeature = room.name === there.name && featureOf(path) === featureOf(target)
  if (room.from.includes('own feature') && sameFeature) return null
  if (room.name === 'domain' && ofRules.includes(target)) return null
  if (room.from.includes(there.name) || (type && room.from.includes(`${there.name}:type`))) return null
  if (room.from.includes(`${there.name}:type`)) return `${room.name} may import only types from ${there.name}`
  if (room.name === there.name) return `feature ${featureOf(path)} may not import feature ${featureOf(target)}`
  return `${room.name} may not import ${there.name}`
}
