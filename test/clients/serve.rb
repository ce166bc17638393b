# Implements every tool of a package by what it was given, and serves them: POST <path> with the arguments as JSON.
# Usage: ruby serve.rb '{"<path>": "<module>"}'. Prints its port; ends with its standard input.
require "json"
require "socket"
require "tool_registry"

MODULES = JSON.parse(ARGV.fetch(0))
IMPLEMENTATIONS = Hash.new do |known, name|
  registry = Object.const_get(name)
  echo = Class.new(registry::Base) do
    define_method(:call) do |**given|
      given = given.transform_keys(&:to_s)
      given.update(given.delete("additional_properties") || {})
      if given.key?("result")
        registry::Output.new(result: given["result"], metadata: given["metadata"], instruction: given["instruction"])
      else
        registry::Output.new(result: given)
      end
    end
  end
  known[name] = echo.new
end

def answer_to(path, body)
  [200, IMPLEMENTATIONS[MODULES.fetch(path)].execute(JSON.parse(body, max_nesting: false)).to_wire]
rescue ToolRegistry::Runtime::Invalid => error
  faults = error.faults.map { |fault| "#{fault.pointer} #{fault.reason}" }
  status = error.is_a?(ToolRegistry::Runtime::InvalidArguments) ? 400 : 500
  [status, { error: error.class.name.split("::").last, faults: faults, message: error.message }]
end

def serve(socket)
  while (request = socket.gets)
    length = 0
    while (line = socket.gets) && line != "\r\n"
      name, value = line.split(":", 2)
      length = value.to_i if name.casecmp?("content-length")
    end
    status, answer = answer_to(request.split(" ").fetch(1), socket.read(length).force_encoding("UTF-8"))
    body = JSON.generate(answer)
    head = ["HTTP/1.1 #{status} Answered", "content-type: application/json", "content-length: #{body.bytesize}"]
    socket.write("#{head.join("\r\n")}\r\n\r\n#{body}")
  end
end

server = TCPServer.new("127.0.0.1", 0)
Thread.new { loop { Thread.new(server.accept) { |socket| serve(socket) } } }
puts server.addr[1]
$stdout.flush
$stdin.read
