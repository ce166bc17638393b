/** Whether the text can be the id of an API, which an agent is as well. */
export const isApiId = (text: string): boolean => /^[\w.-]{1,64}$/.test(text);
