import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plays many games of one referee in one JVM, each as if it were the first.
 *
 * A game begins at the line [[PODIUM_GAME] 0] on standard input and ends with the message PODIUM_DONE on standard
 * output; between them the referee's main class has both streams. Referees keep static state, so each game has a class
 * loader; only libraries that are known to be safe are shared.
 *
 * Usage: java -cp LAUNCHER:CLASSPATH Launcher MAIN_CLASS
 */
public final class Launcher {
    private static final String BEGIN = "[[PODIUM_GAME] 0]";
    private static final String[] SHARED = {
        "java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "com.google.", "org.apache.", "org.slf4j.",
        "org.aopalliance.", "aopalliance.", "kotlin.", "kotlinx.", "scala.", "org.objectweb.", "org.xml.", "org.w3c.",
    };

    private Launcher() {}

    public static void main(String[] arguments) throws Exception {
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> flush(out)));
        InputStream ownIn = System.in;
        PrintStream ownOut = System.out;
        Properties properties = (Properties) System.getProperties().clone();
        URL[] classPath = classPath();
        while (skipTo(in)) {
            int threads = lastingThreads();
            PrintStream printed = new PrintStream(new Unclosed(out), false, "UTF-8");
            System.setIn(new GameInput(in, printed));
            System.setOut(printed);
            boolean well = play(arguments[0], classPath);
            System.setIn(ownIn);
            System.setOut(ownOut);
            System.setProperties((Properties) properties.clone());
            printed.print("[[PODIUM_DONE] 1]\n" + (well ? "well " : "failed ") + (lastingThreads() - threads) + "\n");
            printed.flush();
        }
        System.exit(0);
    }

    /** Play one game; returns whether the referee ended without an exception. */
    private static boolean play(String mainClass, URL[] classPath) throws IOException {
        try (GameLoader loader = new GameLoader(classPath)) {
            Thread.currentThread().setContextClassLoader(loader);
            loader.loadClass(mainClass).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            return true;
        } catch (InvocationTargetException error) {
            error.getCause().printStackTrace();
        } catch (ReflectiveOperationException | LinkageError error) {
            error.printStackTrace();
        } finally {
            Thread.currentThread().setContextClassLoader(Launcher.class.getClassLoader());
        }
        return false;
    }

    /** The number of threads that would keep the JVM alive; daemon threads of a pool may stay. */
    private static int lastingThreads() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 8];
        int lasting = 0;
        for (int i = Thread.enumerate(all) - 1; i >= 0; i--) {
            lasting += all[i].isDaemon() ? 0 : 1;
        }
        return lasting;
    }

    /** Read up to the line that begins a game; what the previous game left unread is skipped. */
    private static boolean skipTo(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.append((char) next);
            } else if (line.toString().equals(BEGIN)) {
                return true;
            } else {
                line.setLength(0);
            }
        }
        return false;
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> found = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            found.add(new File(entry).toURI().toURL());
        }
        return found.toArray(new URL[0]);
    }

    private static void flush(OutputStream out) {
        try {
            out.flush();
        } catch (IOException error) {
            // the arena has closed its end
        }
    }

    /** The code of a class, read once for all games: opening the jar for each game took as long as all the rest. */
    private static final class Code {
        private static final Map<String, Code> READ = new ConcurrentHashMap<>();

        final byte[] bytes;
        final CodeSource source;

        private Code(byte[] bytes, CodeSource source) {
            this.bytes = bytes;
            this.source = source;
        }

        static Code of(String name) throws ClassNotFoundException {
            Code found = READ.get(name);
            if (found == null) {
                found = read(name);
                READ.put(name, found);
            }
            return found;
        }

        private static Code read(String name) throws ClassNotFoundException {
            String entry = name.replace('.', '/') + ".class";
            URL url = Launcher.class.getClassLoader().getResource(entry);
            if (url == null) {
                throw new ClassNotFoundException(name);
            }
            try (InputStream in = url.openStream()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                byte[] part = new byte[1 << 13];
                for (int count = in.read(part); count > 0; count = in.read(part)) {
                    bytes.write(part, 0, count);
                }
                String text = url.toString();
                int jarEnd = text.indexOf("!/");
                String root = jarEnd < 0 ? text.substring(0, text.length() - entry.length()) : text.substring(4, jarEnd);
                return new Code(bytes.toByteArray(), new CodeSource(new URL(root), (Certificate[]) null));
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    /** The classes of one game: loaded anew, not taken from the JVM's own loader, except for shared libraries. */
    private static final class GameLoader extends URLClassLoader {
        GameLoader(URL[] classPath) {
            super(classPath, Launcher.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (String prefix : SHARED) {
                if (name.startsWith(prefix)) {
                    return super.loadClass(name, resolve);
                }
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                return found != null ? found : define(name, Code.of(name));
            }
        }

        private Class<?> define(String name, Code code) {
            int dot = name.lastIndexOf('.');
            if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
                definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
            }
            ProtectionDomain domain = new ProtectionDomain(code.source, null, this, null);
            return defineClass(name, code.bytes, 0, code.bytes.length, domain);
        }
    }

    /** The input of a referee. Its output is flushed before it waits for input; closing the stream does nothing. */
    private static final class GameInput extends InputStream {
        private final InputStream in;
        private final PrintStream printed;

        GameInput(InputStream in, PrintStream printed) {
            this.in = in;
            this.printed = printed;
        }

        @Override
        public int read() throws IOException {
            printed.flush();
            return in.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            printed.flush();
            return in.read(buffer, offset, length);
        }
    }

    /** A stream that is flushed, not closed, by `close`. */
    private static final class Unclosed extends FilterOutputStream {
        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            out.write(buffer, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
