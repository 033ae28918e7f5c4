/**
 * The radius of a stored fix in metres, float8 and whole, as the live judgement takes it; 0 where it is not known. `extra` is the
 * column. Stored rows may hold anything under that name, so it is read only where it is a number, and kept within the bounds
 * that a device may send.
 */
export const fixAccuracySql = (extra: string) =>
  `case when jsonb_typeof(${extra} -> 'accuracyM') = 'number'
    then round(least(greatest((${extra} ->> 'accuracyM')::numeric, 0), 1000000))::float8 else 0 end`
