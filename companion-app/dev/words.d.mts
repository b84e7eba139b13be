interface Message {
  count?: string;
  one?: string[];
  other: string[];
}
type Messages = Map<string, Map<string, Message>>;

export function readMessages(folder?: string): Promise<Messages>;
export function writeWords(folder: string, messages: Messages, names: string[]): Promise<void>;
