import { useEffect, useState } from 'react';

const patience = 300;

/** A value that changes with each key, as it was when typing last paused. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
