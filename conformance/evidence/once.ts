/** What is made of an object is made once: evidence is never changed, and many judges ask for the same. */
export function once<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const now = make(of);
    made.set(of, now);
    return now;
  };
}
