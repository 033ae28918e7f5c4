import type { Plugin } from 'vite'

/** `import{t as o}from"./shell-B6oY94YU.js";export{o as Shell};` */
const facade = /^import\s*\{([^{}]*)\}\s*from\s*"\.\/([^"]+)";\s*export\s*\{([^{}]*)\};?\s*$/

/** "t as o, n" -> [["t", "o"], ["n", "n"]] */
const pairsOf = (list: string) =>
  list.split(',').map((each) => {
    const [from = '', to = from] = each.trim().split(/\s+as\s+/)
    return [from, to] as const
  })

interface Real {
  module: string
  file: string
  /** The names that the module gives, and those that its file has for them. */
  names: Record<string, string>
}

const reals = new Map<string, Real>()

/** Finds what the file that has the code of this module calls `name` of it. */
export function nameInFile(module: string, name: string): string {
  const real = [...reals.values()].find((each) => each.module.endsWith(module))
  const own = real?.names[name]
  if (!own) throw new Error(`no file has ${name} of ${module}`)
  return own
}

/**
 * A module that is loaded alone, and whose code is in a file with others, gets a file of its own that only passes on what is in the other
 * one. Each is a request: whoever asks for it asks for the other one instead.
 */
export const withoutFacades = (): Plugin => ({
  name: 'without-facades',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const { fileName, facadeModuleId, code } of chunks) {
        const [, imported, file, exported] = facade.exec(code.trim()) ?? []
        if (imported === undefined || file === undefined || exported === undefined) continue
        const inside = new Map(pairsOf(imported).map(([from, to]) => [to, from]))
        const names = Object.fromEntries(pairsOf(exported).map(([from, to]) => [to, inside.get(from) ?? from]))
        reals.set(fileName, { module: facadeModuleId ?? '', file: `assets/${file}`, names })
      }
      const base = (fileName: string) => fileName.replace('assets/', '')
      for (const chunk of chunks) {
        if (reals.has(chunk.fileName)) continue
        for (const [fileName, { file, names }] of reals) {
          if (!chunk.code.includes(base(fileName))) continue
          const given = Object.entries(names).map(([name, own]) => `${JSON.stringify(name)}:e.${own}`)
          chunk.code = chunk.code
            .replaceAll(`import("./${base(fileName)}")`, `import("./${base(file)}").then(e=>({${given}}))`)
            .replaceAll(`"${fileName}"`, `"${file}"`)
          if (chunk.code.includes(base(fileName))) throw new Error(`${chunk.fileName} still asks for ${fileName}`)
        }
      }
      for (const fileName of reals.keys()) delete bundle[fileName]
    },
  },
})
