const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos']
const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

/**
 * The packages of a lock file with the optional ones of other platforms that it lacks, the names of those, and the names of
 * packages without a hash that a Linux server would install.
 */
export function completed(packages) {
  const whole = { ...packages }
  const added = []
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const present = Object.keys(whole).some((path) => path.endsWith(`node_modules/${name}`))
      const parts = name.split(/[/-]/)
      const os = SYSTEMS.filter((system) => parts.includes(system))
      if (present || os.length === 0 || !/^\d/.test(version)) continue
      const cpu = CPUS.filter((one) => parts.includes(one))
      whole[`node_modules/${name}`] = { version, ...(cpu.length ? { cpu } : {}), optional: true, os }
      added.push(name)
    }
  }
  const unhashed = Object.entries(whole)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.integrity && isServed(entry))
    .map(([path]) => path.slice('node_modules/'.length))
  return { packages: Object.fromEntries(Object.entries(whole).sort(([a], [b]) => (a < b ? -1 : 1))), added, unhashed }
}

/** Whether a server on Linux runs it. */
const isServed = ({ dev, os = ['linux'] }) => !dev && os.includes('linux')
