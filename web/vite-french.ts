import type { Plugin } from 'vite'

/**
 * In French a space stands before ":", ";", "?" and "!", and inside of « and ». No line may break there. The texts have plain spaces,
 * because an SMS with others holds 70 letters in the place of 160; those of the browser get the others here.
 */
export const unbroken = (text: string): string => text.replace(/(?<=[^\s"]) (?=[:;?!»])|(?<=«) /g, '\u00a0')

export const frenchSpaces = (): Plugin => ({
  name: 'french-spaces',
  enforce: 'pre',
  transform: (code, id) => (/\/contract\/locales\/fr\/\w+\.json(\?raw)?$/.test(id) ? unbroken(code) : undefined),
})
