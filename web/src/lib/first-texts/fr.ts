/** The texts of the shell and of the first screen after the login, in one file. */
export const firstTexts = import.meta.glob<Record<string, unknown>>(
  '../../../../contract/locales/fr/{shell,notifications,dashboard,firstSteps,devices,map,triggers}.json',
  { eager: true, import: 'default' },
)
