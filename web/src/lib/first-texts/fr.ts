/** The texts of the shell and those that most screens share, in one file. */
export const firstTexts = import.meta.glob<Record<string, unknown>>(
  '../../../../contract/locales/fr/{shell,notifications,devices,map,triggers}.json',
  { eager: true, import: 'default' },
)
