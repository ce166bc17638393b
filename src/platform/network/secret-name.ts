/** Shape of a secret's name: never a path, never a variable. */
export const secretNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$';
