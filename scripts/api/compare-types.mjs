// Whether a value of one type fits where another is expected. What clients send must fit the new type, what they get the old one.
const parts = /^(.+?)(\?)?(?: = (.*))?$/

/** The fields of an object by name, with what is taken where they are missing, and what other fields it may have. */
function readFields(lines) {
  const { '...': others, '...keys': keys, ...named } = lines
  const fields = new Map(
    Object.entries(named).map(([key, type]) => {
      const [, name, optional, byDefault] = parts.exec(key)
      return [name, { type, isRequired: !optional, byDefault }]
    }),
  )
  return { fields, others, keys }
}

const plainOf = (type) => (typeof type === 'string' ? type : type.type)
function show(type) {
  if (Array.isArray(type)) return type.map(show).join(' or ')
  if (typeof type === 'string') return type
  if ('is' in type) return JSON.stringify(type.is)
  if (type.in) return 'one of a list of values'
  if (type.list) return 'a list'
  return type.fields ? (type.name ?? 'an object') : type.type
}

/** Every alternative of a type, with references to components followed. */
function alternativesOf(type, description) {
  if (Array.isArray(type)) return type.flatMap((each) => alternativesOf(each, description))
  if (type.in) return type.in.map((value) => ({ is: value }))
  const component = typeof type === 'string' && /^[A-Z]/.test(type) ? description[type] : undefined
  if (component === undefined) return [type]
  return '=' in component ? alternativesOf(component['='], description) : [{ fields: component, name: type }]
}

const atLeast = (limit, own) => limit === undefined || (own !== undefined && own >= limit)
const atMost = (limit, own) => limit === undefined || (own !== undefined && own <= limit)
const same = (limit, own) => limit === undefined || limit === own

/** The bounds of `to` that `from` does not keep. */
const boundsBroken = (from, to) =>
  Object.entries({
    ...{ minimum: atLeast, minLength: atLeast, minItems: atLeast },
    ...{ maximum: atMost, maxLength: atMost, maxItems: atMost },
    ...{ multipleOf: same, pattern: same, format: same },
  })
    .filter(([bound, fits]) => !fits(to[bound], from[bound]))
    .map(([bound]) => bound)

/** Whether both are objects that fixed values tell apart, as `kind` does. */
function areToldApart(a, b) {
  const others = readFields(b.fields).fields
  return [...readFields(a.fields).fields].some(([name, { type }]) => {
    const values = valuesOf(type)
    const other = valuesOf(others.get(name)?.type)
    return values && other && !values.some((value) => other.includes(value))
  })
}
const valuesOf = (type) => (type === undefined ? undefined : 'is' in Object(type) ? [type.is] : Object(type).in)

/** Compares types of two descriptions: `sent` as what clients send, `answered` as what they get. Each gives the faults, which begin with the place. */
export function comparer(before, after) {
  const known = new Map()

  /** The faults of `from` where `to` is expected, or undefined where they are things of different kinds. */
  function pair(from, to, place, isSent) {
    if (to === 'any') return []
    const [plainFrom, plainTo] = [plainOf(from), plainOf(to)]
    if (from.is !== undefined || to.is !== undefined) {
      if (from.is !== undefined && to.is !== undefined) return from.is === to.is ? [] : undefined
      return plainTo === (from.is === null ? 'null' : typeof from.is) && to.is === undefined ? [] : undefined
    }
    if (from.fields && to.fields) return objects(from, to, place, isSent)
    if (from.list && to.list)
      return [...bounded(from, to, place, isSent), ...fits(from.list, to.list, `${place}[]`, isSent)]
    if (plainFrom !== undefined && (plainFrom === plainTo || (plainFrom === 'integer' && plainTo === 'number')))
      return bounded(Object(from), Object(to), place, isSent)
    return undefined
  }

  /** Clients may be told more than the old bounds allowed, but not in another format; what they send is judged by all bounds. */
  const bounded = (from, to, place, isSent) =>
    (isSent ? boundsBroken(from, to) : from.format === to.format ? [] : ['format']).map(
      (bound) => `${place}: ${bound} is ${isSent ? 'narrower' : 'another'} now`,
    )

  function objects(from, to, place, isSent) {
    const key = from.name && to.name && `${isSent} ${from.name} ${to.name}`
    if (key && known.has(key)) return known.get(key)
    // A type within itself is judged once.
    if (key) known.set(key, [])
    const name = isSent ? from.name : to.name
    const at = name ? `${isSent ? 'request' : 'answer'} ${name}` : place
    const faults = (isSent ? sentFields : answeredFields)(readFields(from.fields), readFields(to.fields), at)
    if (key) known.set(key, faults)
    return faults
  }

  function sentFields(old, present, at) {
    const faults = [...present.fields]
      .filter(([name, field]) => field.isRequired && !old.fields.get(name)?.isRequired)
      .map(([name]) => `${at}.${name}: must be sent now`)
    for (const [name, field] of old.fields) {
      const now = present.fields.get(name)
      if (!now) faults.push(`${at}.${name}: is taken no more`)
      else faults.push(...fits(field.type, now.type, `${at}.${name}`, true))
      if (now && !now.isRequired && field.byDefault !== undefined && field.byDefault !== now.byDefault)
        faults.push(`${at}.${name}: is ${now.byDefault ?? 'nothing'} where it is missing, and was ${field.byDefault}`)
    }
    if (present.others === false && old.others !== false) faults.push(`${at}: takes no other fields any more`)
    else if (old.others !== false && present.others)
      faults.push(...fits(old.others ?? 'any', present.others, `${at}.*`, true))
    if (present.keys) faults.push(...fits(old.keys ?? 'string', present.keys, `${at} names`, true))
    return faults
  }

  function answeredFields(present, old, at) {
    const faults = []
    for (const [name, field] of old.fields) {
      const now = present.fields.get(name)
      if (!now) faults.push(`${at}.${name}: is answered no more`)
      else faults.push(...fits(now.type, field.type, `${at}.${name}`, false))
      if (now && field.isRequired && !now.isRequired) faults.push(`${at}.${name}: may be missing now`)
    }
    if (old.others) faults.push(...fits(present.others || 'any', old.others, `${at}.*`, false))
    return faults
  }

  /** An answer may get a further value of a list of values, and a further kind of object where there are several. */
  function isAddition(from, expected) {
    if (from.is !== undefined && from.is !== null)
      return expected.some(({ is }) => is !== undefined && typeof is === typeof from.is)
    const objects = expected.filter(({ fields }) => fields)
    return from.fields !== undefined && objects.length > 1 && objects.every((each) => areToldApart(from, each))
  }

  function fits(from, to, place, isSent) {
    const expected = alternativesOf(to, isSent ? after : before)
    return alternativesOf(from, isSent ? before : after).flatMap((each) => {
      const tried = expected
        .filter((other) => !(each.fields && other.fields && expected.length > 1 && areToldApart(each, other)))
        .map((other) => pair(each, other, place, isSent))
        .filter((faults) => faults !== undefined)
        .sort((a, b) => a.length - b.length)
      if (tried[0]) return tried[0]
      if (!isSent && isAddition(each, expected)) return []
      if (each.is !== undefined || Array.isArray(from) || Array.isArray(to))
        return [`${place}: ${isSent ? `${show(each)} is taken no more` : `may be ${show(each)} now`}`]
      return [`${place}: is ${show(isSent ? to : from)} now, and was ${show(isSent ? from : to)}`]
    })
  }

  return {
    sent: (old, present, at) => fits(old, present, at, true),
    answered: (old, present, at) => fits(present, old, at, false),
  }
}
